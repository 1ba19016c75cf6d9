import { AboutView } from '#features/about/about-view.tsx'
import { ProcessList } from '#features/workload/process-list.tsx'
import { useStatus } from '#features/connection/connection.queries.ts'

/** Version, news and licences, and the processes where there are several. */
export const AboutPage = () => <AboutView version={useStatus().data?.version} processes={<ProcessList />} />
