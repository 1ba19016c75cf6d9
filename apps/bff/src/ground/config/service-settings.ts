import type { Config } from './config.ts'

/** Default of `ADMIN_API_CALLS_PER_HOUR`: one call a second, or ten for the embedded service, whose calls are free. */
export const callsPerHourByDefault = ({ embedded }: { embedded: boolean }): number => (embedded ? 36_000 : 3600)

/** Host of the embedded service's object store. The operator named it, so it may be in a private network. */
const listStorageHosts = ({ local: { store } }: Config): string[] => {
  const endpoint = store !== null && 's3' in store ? store.s3.endpoint : null
  return endpoint === null ? [] : [new URL(endpoint).host]
}

/** Settings that the environment gives to its connection, and to the embedded service. */
export const serviceSettings = (config: Config, { embedded }: { embedded: boolean }) => {
  const offersAll = embedded && !config.local.strict
  return {
    deploymentKind: config.deploymentKind,
    callsPerHour: config.adminApiCallsPerHour ?? callsPerHourByDefault({ embedded }),
    timeoutMs: config.adminApiTimeoutMs,
    bundleHosts: [...config.bundleHosts, ...(embedded ? listStorageHosts(config) : [])],
    agentJobCreation: config.agentJobCreation ?? offersAll,
    agentJobList: offersAll,
    keyPrefix: null,
  }
}
