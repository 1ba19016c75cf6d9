import { callsPerHourByDefault } from '#rate-limit/bucket.ts'
import type { Config } from './config.ts'

/** Settings that the environment gives to its connection, and to the embedded service. */
export const serviceSettings = (config: Config, { embedded }: { embedded: boolean }) => {
  const offersAll = embedded && !config.local.strict
  return {
    deploymentKind: config.deploymentKind,
    callsPerHour: config.adminApiCallsPerHour ?? callsPerHourByDefault({ embedded }),
    timeoutMs: config.adminApiTimeoutMs,
    bundleHosts: [...config.bundleHosts],
    agentJobCreation: config.agentJobCreation ?? offersAll,
    agentJobList: offersAll,
    keyPrefix: null,
  }
}
