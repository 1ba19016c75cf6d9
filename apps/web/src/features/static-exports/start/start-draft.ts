import { useDraft } from '#ui/use-draft.ts'

/** What is typed into the start form; of `paths` one a line. */
const empty = { domain: '', version: '', paths: '' }

/** The paths of a draft: one per line, empty lines left out; null when there are none, which means every page. */
export const parsePaths = (text: string): string[] | null => {
  const paths = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return paths.length > 0 ? paths : null
}

/** The draft of the start form. It survives a reload of the tab. */
export const useStartDraft = () => useDraft('start', empty)
