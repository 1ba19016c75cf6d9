import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** True when, in this run, the local service returns only fields of the Admin API's description. */
export const isStrict = /^(true|1|yes|on)$/i.test(process.env.LOCAL_ADMIN_API_STRICT ?? '')

/** Environment of Docket's servers for such a run. */
export const strictEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> =>
  isStrict && env['ADMIN_API_URL'] === undefined ? { LOCAL_ADMIN_API_STRICT: 'true' } : {}

/**
 * Tests that are about something which a service may offer beyond the description, by file: the title, and what it is.
 */
const aboutExtras: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'agent-prompts.spec.ts': {
    'a job is asked for, becomes a pull request, and goes on after a follow-up; two clicks and a reload do no harm':
      'creation of agent jobs',
    'a request that is refused stays in the form, and one without an answer is decided about by a person':
      'creation of agent jobs',
    'a saved prompt is filled in and run on several projects once, and nobody runs it without the right':
      'creation of agent jobs',
  },
  'follow-jobs.spec.ts': {
    'jobs are found in the list of the service, by keyboard too, and a lost one is found again': 'list of agent jobs',
  },
  'static-exports.spec.ts': {
    'an export that fails shows the reason of the service, on the row and on its page': 'reason of a failure',
  },
}

/**
 * Why a test has nothing to look at in a strict run; null when it has to pass. Throws when a test is listed that does
 * not exist.
 */
export const needsMore = (file: string, title: string): string | null => {
  if (!isStrict) return null
  const here = aboutExtras[basename(file)] ?? {}
  const text = readFileSync(join(import.meta.dirname, '..', basename(file)), 'utf8')
  const unknown = Object.keys(here).find((name) => !text.includes(name))
  if (unknown !== undefined) throw new Error(`${basename(file)} has no test “${unknown}”`)
  return here[title.replace(/ @story$/, '')] ?? null
}
