import { AboutView } from '#features/overview/about/about-view.tsx'
import { ProcessList } from '#features/overview/workload/process-list.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'

export const AboutPage = () => <AboutView version={useStatus().data?.version} processes={<ProcessList />} />
