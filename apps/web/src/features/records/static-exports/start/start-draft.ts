import { useDraft } from '#ui/forms/use-draft.ts'

// `chosenFor`: the domain when the connection was chosen.
const empty = { connectionId: '', chosenFor: '', domain: '', version: '', paths: '' }

/** Paths of a draft, one per line; null for none, which means every page. */
export const parsePaths = (text: string): string[] | null => {
  const paths = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return paths.length > 0 ? paths : null
}

/** Draft of the start form; survives a reload. */
export const useStartDraft = () => useDraft('start', empty)
