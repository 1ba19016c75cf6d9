import { passkey } from '@better-auth/passkey'

const verifiedUser = (verified: boolean | undefined): void => {
  // It asks browsers for it, and then takes a passkey without it too: whoever holds the device would be in.
  if (verified !== true) throw new Error('The device did not make sure who uses it.')
}

/** Passkeys that name their owner, after the device has made sure who that is. The origin is the one of the request, which is ours. */
export const passkeyPlugin = (rpId: string) =>
  passkey({
    rpID: rpId,
    rpName: 'Docket',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      afterVerification: ({ verification }) => verifiedUser(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => verifiedUser(verification.authenticationInfo.userVerified),
    },
  })
