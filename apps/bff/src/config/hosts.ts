import { hostName, list, refuse } from './values.ts'
import { parseNetwork } from '#http/load/client-address.ts'

/** A list that is refused with `mistake` when `parse` returns null for one of its entries. */
const parseEach = <T>(parse: (entry: string) => T | null, mistake: string) =>
  list.transform((entries, ctx) => {
    const found = entries.map(parse).filter((entry) => entry !== null)
    return found.length === entries.length ? found : refuse(ctx, mistake)
  })

/** Parsed addresses and networks of proxies. */
export const networks = parseEach(
  parseNetwork,
  'must be addresses or networks, such as 10.0.0.5 or 10.0.0.0/8, and not everybody',
)

/** Addresses and networks, checked but left as text. */
export const networkTexts = list.refine((texts) => texts.every((text) => parseNetwork(text) !== null), {
  error: 'must be addresses or networks, such as 10.0.0.5 or 10.0.0.0/8, and not everybody',
})

/** Parses a host name, or `*.` and a host name. Returns lower case, or null for any other text. */
const parseHostName = (text: string): string | null => {
  const name = text.toLowerCase()
  return hostName.test(name.replace(/^\*\./, '')) ? name : null
}

/** Host names; a leading `*.` matches every name below. */
export const hostNames = parseEach(
  parseHostName,
  'must be host names, such as storage.example.com or *.example.com, without scheme, port and path',
)

/** Parses a host with an optional port and writes it as `URL` does. Null for any other text. */
const parseHost = (text: string): string | null => {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:[1-9]\d{0,4})?$/.exec(text) ?? []
  if (Number(port.slice(1)) > 65_535) return null
  const name = host.startsWith('[') ? URL.parse(`http://${host}`)?.hostname : parseHostName(host)
  return name ? `${name}${port}` : null
}

/** Hosts with an optional port; a leading `*.` matches every name below. */
export const hostsWithPorts = parseEach(
  parseHost,
  'must be hosts, such as storage.example.com, *.example.com:8443 or [fd00::1]:9000, without scheme and path',
)
