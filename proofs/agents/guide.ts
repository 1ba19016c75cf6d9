import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One agent of the guide: how to install it, and its files for a model at an address of the reader's own. */
export type GuideAgent = { name: string; install: string; environment: string; settings: string }

const page = join(import.meta.dirname, '..', '..', 'docs', 'guide', 'agent-jobs', 'agents.md')

/** The agents that the guide tells people to connect, from the code blocks of its sections. */
export const readGuide = (): GuideAgent[] =>
  readFileSync(page, 'utf8')
    .split(/^## /m)
    .flatMap((section) => {
      const blocks = new Map(
        [...section.matchAll(/^```\w+ title="([^"]+)"\n(.*?)^```$/gms)].map(([, title, code]) => [title!, code!]),
      )
      const install = blocks.get('Install')
      if (install === undefined) return []
      const environment = blocks.get('/etc/docket/agent.env, own address')
      const settings = blocks.get('Settings, own address')
      const name = section.split('\n', 1)[0]!
      if (environment === undefined || settings === undefined)
        throw new Error(`The guide’s section “${name}” is incomplete`)
      return [{ name, install, environment, settings }]
    })
