import { hostName, list, refuse } from '#config-values.ts'
import { parseNetwork } from '#http/load/client-address.ts'

/** A list whose every entry `parse` can read. */
const listOf = <T>(parse: (entry: string) => T | null, mistake: string) =>
  list.transform((entries, ctx) => {
    const found = entries.map(parse).filter((entry) => entry !== null)
    return found.length === entries.length ? found : refuse(ctx, mistake)
  })

/** Addresses and networks of proxies. */
export const networks = listOf(
  parseNetwork,
  'must be addresses or networks, such as 10.0.0.5 or 10.0.0.0/8, and not everybody',
)

/** Addresses and networks as they were written, for a part of Docket that reads them itself. */
export const networkTexts = list.refine((texts) => texts.every((text) => parseNetwork(text) !== null), {
  error: 'must be addresses or networks, such as 10.0.0.5 or 10.0.0.0/8, and not everybody',
})

/** A host name in lower case, perhaps with `*.` for all below it; null for any other text. */
const parseHostName = (text: string): string | null => {
  const name = text.toLowerCase()
  return hostName.test(name.replace(/^\*\./, '')) ? name : null
}

/** Host names, each perhaps with `*.` for all below it. */
export const hostNames = listOf(
  parseHostName,
  'must be host names, such as storage.example.com or *.example.com, without scheme, port and path',
)

/** A host as `URL` writes it, perhaps with a port; null when it is neither. */
const parseHost = (text: string): string | null => {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:[1-9]\d{0,4})?$/.exec(text) ?? []
  if (Number(port.slice(1)) > 65_535) return null
  const name = host.startsWith('[') ? URL.parse(`http://${host}`)?.hostname : parseHostName(host)
  return name ? `${name}${port}` : null
}

/** Hosts, each perhaps with `*.` for all below it, and perhaps with a port. */
export const hostsWithPorts = listOf(
  parseHost,
  'must be hosts, such as storage.example.com, *.example.com:8443 or [fd00::1]:9000, without scheme and path',
)
