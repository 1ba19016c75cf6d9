import { Link } from '#ui/links/link.tsx'
import { useHasUnreadNews } from './about.queries.ts'

export const NewsDot = () => (
  <span className="size-2 shrink-0 rounded-full bg-accent">
    <span className="sr-only">New</span>
  </span>
)

export const NewsLink = ({ version }: { version: string | undefined }) => {
  const hasNews = useHasUnreadNews(version)
  return !hasNews ? null : (
    <Link
      to="/settings/about"
      className="flex items-center gap-2.5 rounded-md border border-line bg-surface px-2.5 py-2 text-sm hover:bg-hover"
    >
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-accent" />
      <span className="min-w-0">
        Docket was upgraded to {version}. <span className="font-medium whitespace-nowrap text-accent">What’s new</span>
      </span>
    </Link>
  )
}
