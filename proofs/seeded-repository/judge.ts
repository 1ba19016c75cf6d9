import { pathAt, pieceAt, stages, textAt, type Stage } from './pieces.ts'
import { docsJson, type Seed } from './seed.ts'

/** Counts so far. `wrong` names every unexpected result. */
export type Findings = {
  decidable: number
  fixed: number
  undecidable: number
  reported: number
  left: number
  wrong: string[]
  again: number
}

/**
 * Compares every file of the repository, byte for byte, with what it has to be after a job, and the report with what it
 * has to say.
 */
export const judge = (
  found: Findings,
  seeded: Seed,
  stage: Stage,
  { filesNow, report }: { filesNow: Map<string, string>; report: string },
): void => {
  const before = stages[stages.indexOf(stage) - 1] ?? null
  const told = report.split(/<\/?(?:div|li|p|pre|code)\b[^>]*>|\n/).map((line) => line.trim())
  for (const page of seeded.pages) {
    const path = pathAt(page, stage)
    const text = filesNow.get(path)
    filesNow.delete(path)
    const pieces = text?.split('\n\n') ?? []
    if (text !== textAt(page, stage)) found.wrong.push(`${path} is not as it has to be after “${stage}”`)
    for (const [index, piece] of page.pieces.entries()) {
      const [wanted, was, is] = [pieceAt(piece, stage), pieceAt(piece, before), pieces[index]?.replace(/\n$/, '')]
      if (piece.report === stage) {
        found.undecidable += 1
        if (is === wanted && told.some((line) => tells(line, piece.says ?? ''))) found.reported += 1
        else found.wrong.push(`${path}: ${wanted} became ${is}, or was not reported`)
      } else if (wanted !== was) {
        found.decidable += 1
        if (is === wanted) found.fixed += 1
        else found.wrong.push(`${path}: ${was} became ${is}`)
      } else if (is === wanted) found.left += 1
      else found.wrong.push(`${path}: ${was} became ${is}`)
    }
  }
  const site = docsJson(stage === 'move')
  if (stage === 'move') found.decidable += 1
  if (filesNow.get('docs.json') !== site) found.wrong.push('docs.json is not as it has to be')
  else if (stage === 'move') found.fixed += 1
  filesNow.delete('docs.json')
  for (const [path, text] of filesNow) {
    if (seeded.others.get(path) === text) found.left += 1
    else found.wrong.push(`${path} was changed`)
  }
  if (filesNow.size !== seeded.others.size) found.wrong.push(`${seeded.others.size - filesNow.size} files are gone`)
  const leftCount = told.filter((line) => /^\S+:\d+ .+ — /.test(line)).length
  const expected = seeded.pages.flatMap(({ pieces }) => pieces).filter((piece) => piece.report === stage).length
  if (leftCount !== expected)
    found.wrong.push(`“${stage}” left ${leftCount} things alone by its report, not ${expected}`)
}

/** Whether a line of a report, `file:line what — why`, tells what `says` names as `file: what`. */
const tells = (line: string, says: string) => {
  const [file = '', what = ''] = says.split(/: (.*)/s)
  return (
    line.startsWith(`${file}:`) &&
    line
      .slice(file.length + 1)
      .replace(/^\d+ /, '')
      .startsWith(what)
  )
}
