import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { quickLanes, runLanes } from './steps.ts'

const listFiles = (...args: string[]) =>
  execFileSync('git', [...args, '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter(existsSync)

/** Tests of a changed file: itself, those that begin with its name, or else all beside it; none for those that a proof plays. */
const findTests = (file: string): string[] => {
  if (file.endsWith('.prove.ts')) return []
  const tests = globSync(`${dirname(file)}/*.test.{ts,tsx}`)
  if (tests.includes(file)) return [file]
  const own = tests.filter((test) => basename(test).startsWith(basename(file).replace(/\.tsx?$/, '')))
  return own.length > 0 ? own : tests
}

process.chdir(`${import.meta.dirname}/..`)
const changed = [
  ...listFiles('diff', '--name-only', 'HEAD'),
  ...listFiles('ls-files', '--others', '--exclude-standard'),
]
const tests = new Set(changed.filter((file) => /\.tsx?$/.test(file)).flatMap(findTests))
process.exit(await runLanes(quickLanes([...tests])))
