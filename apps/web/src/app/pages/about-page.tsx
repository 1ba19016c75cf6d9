import { AboutView } from '#features/about/about-view.tsx'
import { useStatus } from '#features/connection/connection.queries.ts'

/** Version, news and licences. */
export const AboutPage = () => <AboutView version={useStatus().data?.version} />
