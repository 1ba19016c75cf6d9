import { useMatches } from '@tanstack/react-router'

export const usePageTitleAndKey = (): { title: string; key: string } => {
  const title = useMatches({
    select: (matches) => {
      const page = matches.at(-1)
      return page && 'domain' in page.params ? page.params.domain : (page?.staticData.title ?? 'Not found')
    },
  })
  const key = useMatches({ select: (matches) => matches.at(-1)?.id ?? '' })
  return { title, key }
}
