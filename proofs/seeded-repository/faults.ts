import type { Fault } from '#proofs/harness/plant.ts'

/**
 * Lets the process of the recipes, which gets none of our environment, load broken sources as well. Not a fault by
 * itself.
 */
export const passedOn: Fault = {
  file: 'runners/built-in.ts',
  instead: 'env: { PATH: process.env.PATH,',
  write:
    "env: { ...(process.env.PLANTED_FAULTS ? { NODE_OPTIONS: process.env.SEEDED_OPTIONS, PLANTED_FAULTS: process.env.PLANTED_FAULTS, NODE_DISABLE_COMPILE_CACHE: '1' } : {}), PATH: process.env.PATH,",
}

/** One thing after the other that the recipes must never do, by what it is. */
export const faults: Readonly<Record<string, Fault>> = {
  'guesses between two pages': {
    file: 'links/repair-path.ts',
    instead: 'if (candidates.size === 1 && only !== undefined)',
    write: 'if (only !== undefined)',
  },
  'does not ask git': {
    file: 'links/repair-path.ts',
    instead: '(history.isGone(path) ? (history.now(path) ?? []) : [])',
    write: '(history.isGone(path) ? [] : [])',
  },
  'guesses between two headings': {
    file: 'links/repair-fragment.ts',
    instead: 'if (only === undefined || more.length > 0)',
    write: 'if (only === undefined)',
  },
  'says nothing about what it leaves': {
    file: 'links/fix-links.ts',
    instead: 'if (to === null) unclear(explainUnclear(verdict))',
    write: 'if (to === null) continue',
  },
  'guesses between two words': {
    file: 'prose/fix-typos.ts',
    instead: 'if (corrections.length > 1)',
    write: 'if (corrections.length > 9)',
  },
  'corrects names': {
    file: 'prose/fix-typos.ts',
    instead: 'if (names.has(word.toLowerCase()))',
    write: 'if (names.has(word))  if (names.size < 0)',
  },
  'forgets the links of the page it moves': {
    file: 'moving/move-links.ts',
    instead: 'const pageAfter = page === from ? to : page',
    write: 'const pageAfter = page',
  },
  'makes no redirect': {
    file: 'moving/redirects.ts',
    instead: 'if (from === to) return []',
    write: 'if (from !== to) return []',
  },
  'finds something to do each time': {
    file: 'links/fix-links.ts',
    instead: '  const fragments = fragmentFixes(work, space)',
    write:
      '  const fragments = fragmentFixes(work, space)\n  await changeFiles(work, await listScope(work), (text) => ({ edits: [{ start: text.length, end: text.length, text: "\\n" }] }))',
  },
}
