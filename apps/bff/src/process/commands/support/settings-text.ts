import { environment } from '#ground/config/environment.ts'
import { redactLinks } from '#ground/log/redact.ts'
import { VariableDescription } from '#ground/config/variable.ts'
import { unshownSettings } from './known-secrets.ts'

/** Every setting with its value, one line each. Secrets are only `set` or `not set`. */
export const formatSettings = (env: NodeJS.ProcessEnv): string =>
  Object.entries(environment.shape)
    .map(([name, schema]) => {
      const value = env[name]?.trim() || undefined
      const { byDefault } = VariableDescription.parse(schema.meta())
      if (value === undefined) return `${name}: not set${byDefault === undefined ? '' : ` (default ${byDefault})`}`
      return `${name}: ${unshownSettings.includes(name) ? 'set' : redactLinks(value).replaceAll(/\s+/g, ' ')}`
    })
    .join('\n')
