import { AppError } from '#errors/app-error.ts'
import type { ChannelAddresses, GateOfChannels } from './ports.ts'

/** A gate without conditions. */
export const openGate: GateOfChannels = {
  evaluate: () => Promise.resolve({ checks: [], passed: true }),
  endProposal: () => Promise.resolve(),
}

/** Addresses of a Docket that hosts nothing. */
export const noAddresses: ChannelAddresses = {
  describe: () => ({ address: null, problem: 'This Docket does not host channels.' }),
  checkHostname: () => {
    throw new AppError('invalid_request', 'This Docket does not host channels, so they have no hostname.', {
      field: 'hostname',
    })
  },
}
