/** True when this page is on localhost or a loopback address, whose cookies go to all ports. */
export const isSharedAddress = (): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)

/** True when this page is on Docket's own name under localhost. */
export const isOwnName = (): boolean => /^docket-[0-9a-f]+\.localhost$/.test(location.hostname)

/** Address of Docket for programs, which may not resolve names under localhost. */
export const printProgramAddress = (): string =>
  isOwnName() ? location.origin.replace(location.hostname, '127.0.0.1') : location.origin
