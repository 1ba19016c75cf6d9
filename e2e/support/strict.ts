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
    'a requested job becomes a pull request and takes a follow-up; double clicks and reloads send nothing twice':
      'creation of agent jobs',
    'a refused prompt stays in the form, and the user decides about one without a response': 'creation of agent jobs',
    'a filled-in saved prompt runs exactly once on each chosen project, and only for users with the right':
      'creation of agent jobs',
  },
  'follow-jobs.spec.ts': {
    'jobs can be chosen from the service’s list, even with the keyboard, and a lost job can be found there':
      'list of agent jobs',
  },
  'static-exports.spec.ts': {
    'a failed export shows the service’s reason on its row and on its page': 'reason of a failure',
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
