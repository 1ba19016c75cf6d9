const names = new Set(
  'token|accesstoken|idtoken|refreshtoken|authtoken|privatetoken|jobtoken|apitoken|apikey|key|secret|clientsecret|password|passwd|pwd'
    .concat('|sig|signature|auth|authorization|credential|credentials|jwt|bearer|session|sessionid|sid|code')
    .concat('|awsaccesskeyid|keypairid|policy')
    .split('|'),
)

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Whether a parameter of this name opens something for whoever has its value: a token, a password, a signature. */
export const isCredentialName = (name: string): boolean => {
  const plain = decoded(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  return names.has(plain) || /^x(?:amz|goog)/.test(plain)
}

// `git` alone is how everybody spells an address of ssh.
const userinfo = /^([a-z][a-z0-9+.-]*:\/\/)(?!git@)[^/?#]*@/i
const parameter = /([?&#;])([^?&#;=]*)=[^&#;]*/g

/**
 * An address of the service without what would let its readers in somewhere: userinfo, and the values of parameters that are
 * credentials by their name. Services have been seen to report the remote of a checkout as it is, token included.
 */
export const withoutCredentials = (address: string): string =>
  address
    .replace(userinfo, '$1[removed]@')
    .replace(parameter, (all, before: string, name: string) =>
      isCredentialName(name) ? `${before}${name}=[removed]` : all,
    )
