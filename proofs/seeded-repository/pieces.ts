/** What the jobs do, in order. The first stage is the repository as seeded. */
export const stages = ['links', 'typos', 'move'] as const

/** See `stages`. */
export type Stage = (typeof stages)[number]

/**
 * A paragraph of a page and what becomes of it: its text before and after each job. `fix` and `report` name the job
 * that decides it, or has to say that it cannot; a piece without them is left by all.
 */
export type Piece = { text: string; after?: Partial<Record<Stage, string>>; report?: Stage; says?: string }

/**
 * A page by its path: that after the last job is another one where it is moved. Its pieces stand with a blank line
 * between them.
 */
export type Page = { path: string; movedTo?: string; pieces: Piece[] }

/** Text of a piece when a job is done; null is before all of them. */
export const pieceAt = ({ text, after = {} }: Piece, stage: Stage | null): string => {
  const done = stage === null ? [] : stages.slice(0, stages.indexOf(stage) + 1)
  return done.reduce((before, one) => after[one] ?? before, text)
}

/** Where a page is when a job is done. */
export const pathAt = ({ path, movedTo }: Page, stage: Stage | null): string =>
  stage === 'move' && movedTo !== undefined ? movedTo : path

/** Text of a page when a job is done. */
export const textAt = ({ pieces }: Page, stage: Stage | null): string =>
  `${pieces.map((piece) => pieceAt(piece, stage)).join('\n\n')}\n`
