import ipaddr from 'ipaddr.js'

const privateRanges = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])

/** True for a host that most readers can't reach. `hostname` is that of a `URL`. A name without a dot is one of a local network. */
export const isPrivateHost = (hostname: string): boolean => {
  if (/^\[|^[\d.]+$/.test(hostname)) {
    const address = hostname.replaceAll(/[[\]]/g, '')
    return ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range())
  }
  return /^[^.]+\.?$|\.(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/i.test(hostname)
}
