import type { Config } from './config.ts'
import { listLinkHosts } from './stores.ts'

/** Default of `ADMIN_API_CALLS_PER_HOUR`: one call a second, or ten for the embedded service, whose calls are free. */
export const callsPerHourByDefault = ({ embedded }: { embedded: boolean }): number => (embedded ? 36_000 : 3600)

/** Settings that the environment gives to its connection, and to the embedded service. */
export const serviceSettings = (config: Config, { embedded }: { embedded: boolean }) => {
  const offersAll = embedded && !config.local.strict
  return {
    deploymentKind: config.deploymentKind,
    callsPerHour: config.adminApiCallsPerHour ?? callsPerHourByDefault({ embedded }),
    timeoutMs: config.adminApiTimeoutMs,
    bundleHosts: [...config.bundleHosts, ...(embedded ? listLinkHosts(config.local.store) : [])],
    agentJobCreation: config.agentJobCreation ?? offersAll,
    agentJobList: offersAll,
    keyPrefix: null,
  }
}
