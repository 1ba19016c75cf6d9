const names = new Set(
  'token|accesstoken|idtoken|refreshtoken|authtoken|privatetoken|jobtoken|apitoken|apikey|key|secret|clientsecret|password|passwd|pwd'
    .concat('|sig|signature|auth|authorization|credential|credentials|jwt|bearer|session|sessionid|sid|code')
    .concat('|awsaccesskeyid|keypairid|policy')
    .split('|'),
)

const decodeName = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** True for the name of a parameter whose value is a credential: a token, a password, a signature. */
export const isCredentialName = (name: string): boolean => {
  const plain = decodeName(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  return names.has(plain) || /^x(?:amz|goog)/.test(plain)
}

// `git` alone is the usual user of ssh addresses.
const userinfo = /^([a-z][a-z0-9+.-]*:\/\/)(?!git@)[^/?#]*@/i
const parameter = /([?&#;])([^?&#;=]*)=[^&#;]*/g

/** Removes userinfo and credential parameters from an address. Services do report the remote of a checkout with its token. */
export const withoutCredentials = (address: string): string =>
  address
    .replace(userinfo, '$1[removed]@')
    .replace(parameter, (all, before: string, name: string) =>
      isCredentialName(name) ? `${before}${name}=[removed]` : all,
    )
