import type { Config } from '#ground/config/config.ts'

type OwnHost = { host: string; port: number; nameOnly?: boolean }

const publicHosts = { github: ['github.com', 'api.github.com'], gitlab: ['gitlab.com'], gitea: [] }

/**
 * Hosts of Docket that no agent may reach, whatever AGENT_COMMAND_HOSTS lists: its ports, its databases and its code hosts. The ports that
 * the process listens on need no entry.
 */
export const listOwnHosts = (
  config: Pick<Config, 'local' | 'port' | 'metricsPort' | 'publicUrl' | 'databaseUrl' | 'databaseDirectUrl'>,
): OwnHost[] => {
  const { local, port, metricsPort, publicUrl, databaseUrl, databaseDirectUrl } = config
  const codeHosts = local.codeHosts.flatMap(({ url, kind }) => url ?? publicHosts[kind])
  return [
    ...[port, metricsPort ?? 0].filter((own) => own > 0).map((own) => ({ host: '127.0.0.1', port: own })),
    ...[databaseUrl, databaseDirectUrl].flatMap((address) => (address === null ? [] : parseAddress(address(), 5432))),
    ...codeHosts.flatMap((host) => parseAddress(host.includes('://') ? host : `https://${host}`, 443)),
    // Its address may be that of a reverse proxy, which serves others too.
    ...(publicUrl === null ? [] : parseAddress(publicUrl.href, 443).map((own) => ({ ...own, nameOnly: true }))),
  ]
}

const parseAddress = (address: string, otherwise: number): OwnHost[] => {
  if (!URL.canParse(address)) return []
  const { hostname, port, protocol } = new URL(address)
  const usual = protocol === 'http:' ? 80 : otherwise
  return [{ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usual : Number(port) }]
}
