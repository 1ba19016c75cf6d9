import { missingPackages, nginx } from '#apps/bff/src/testing/web-server.ts'
import { playSamples } from './harness/play-tests.ts'
import type { Fault } from './harness/plant.ts'
import type { Proof } from './harness/proof.ts'

/** Pages without their ending, at nginx. */
const fault: Fault = {
  file: 'site-bundle/src/host-configuration/nginx.ts',
  instead: 'try_files ${first} ${tryFile} ${named}_file;',
  write: 'try_files ${first} ${file} ${named}_file;',
}

const names = 2_000

/** Small sites, archives and generated names, read, stored, checked, hosted, previewed and delivered. */
export const proof: Proof = {
  name: 'agree',
  bar: `about every address that 60 bundles and ${names.toLocaleString('en')} generated names can name, the check, hosting, previews and nginx on the delivered folder, as another user, agree`,
  fault,
  run: async (options) => {
    const missing = missingPackages([nginx])
    if (missing.length > 0) throw new Error(`Install what it needs first: apt-get install ${missing.join(' ')}`)
    return playSamples(['apps/bff/src/releases/hosting/agree.test.ts'], names, fault)(options)
  },
}
