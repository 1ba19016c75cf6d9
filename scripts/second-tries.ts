import type { Reporter } from 'vitest/node'

const mark = 'tried again: '

/**
 * A reporter of vitest that names every test which passed only the second time; its own reporters keep silent about
 * these.
 */
export const secondTries: Reporter = {
  onTestCaseResult: (test) => {
    if (test.diagnostic()?.flaky) console.log(`${mark}${test.module.relativeModuleId} › ${test.fullName}`)
  },
}

/**
 * The tests which passed only when they were tried again, from what vitest with the reporter above or Playwright
 * printed.
 */
export const secondTriesIn = (output: string): string[] => {
  const byVitest = output.split('\n').filter((line) => line.startsWith(mark))
  const byPlaywright = /^ +\d+ flaky\n((?: {4}.*\n)+)/mu.exec(output)?.[1]?.split('\n') ?? []
  return [...byVitest.map((line) => line.slice(mark.length)), ...byPlaywright]
    .map((line) => line.replaceAll(/^\s+|[\s─]+$/gu, ''))
    .filter(Boolean)
}
