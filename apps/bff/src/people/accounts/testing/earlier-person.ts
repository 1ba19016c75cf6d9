import { createPrivateKey } from 'node:crypto'

/**
 * Rows and cookies of a person who set everything up with better-auth 1.7.5, the sign-in library of earlier versions. They were made by
 * running that version with the secret of all tests. The passkey comes from Chromium's virtual authenticator.
 */
export const earlierRows: Record<string, readonly Record<string, unknown>[]> = {
  instance: [
    {
      id: 1,
      name: '3d2cd435',
      secret_check: '6ab0e5a6a7c88aa83b967eeb53b3634810f7f5ae01eb02326cc172bcf6c0ed92',
    },
  ],
  users: [
    {
      id: '169cb243-ab5c-4fda-9aea-ffbdbbbe02d5',
      name: 'grace',
      role: 'operator',
      email: 'grace@example.com',
      created_at: '2026-11-22T14:03:59.862+00:00',
      updated_at: '2026-11-22T14:04:07.377+00:00',
      email_verified: false,
      two_factor_enabled: true,
      oidc_groups: [],
    },
  ],
  sign_in_accounts: [
    {
      id: 'ca8fd0f6-28dc-4a97-8ac1-3cafcae5edcc',
      user_id: '169cb243-ab5c-4fda-9aea-ffbdbbbe02d5',
      password: '$argon2id$v=19$m=65536,t=3,p=1$aJQqs5MKUBntTXPdngJaxA$GXM6IyQ21F+Rn4UP4/A7STFpyKOK2Doc6xUtDV0oNNU',
      account_id: '169cb243-ab5c-4fda-9aea-ffbdbbbe02d5',
      created_at: '2026-11-22T14:03:59.877+00:00',
      updated_at: '2026-11-22T14:03:59.877+00:00',
      provider_id: 'credential',
    },
  ],
  two_factors: [
    {
      id: '2f9706a5-875e-4ac3-968a-92aa8fe578ee',
      secret:
        '$ba$209187622059651$44b5c6c296cea4e516cb1cce2ea664a240fddf0d472716b79dd748abc9c4bc640f36100412fbd417aedcc89c7e4ed17ea5f52f8c26a5963b7abea86398a88b5242a179b29641a734',
      user_id: '169cb243-ab5c-4fda-9aea-ffbdbbbe02d5',
      verified: true,
      backup_codes:
        '$ba$209187622059651$5a866a8518e45a74e1b951bc5f1d951b5b35872a0682ee5032c5321abfd4b9015048a86b6f766addf805838aec0239e6b069350aff226ab165b5c29251b9ed0543cf54c92555ca972e060d846aefb628537caa93c4fdb345d83400f81af2772188b96f2d6cab721e66c34fadb422550069ac24625f02f256d9c91a1fe5bc5a72ad57297df0bf5e46760fc73f8e7563217f02859a96d4b324917fae693dba10daac5a13d8a5a167',
      failed_verification_count: 0,
    },
  ],
  passkeys: [
    {
      id: '76437eb4-db4b-4ecb-94b2-383415e6bc2b',
      name: 'laptop',
      aaguid: '01020304-0506-0708-0102-030405060708',
      counter: 2,
      user_id: '169cb243-ab5c-4fda-9aea-ffbdbbbe02d5',
      backed_up: false,
      created_at: '2026-11-22T14:04:15.44+00:00',
      public_key: 'pAEBAycgBiFYIBqVEjedLKlt1YI93sndwor5yG5mBpYDf7x5R4O584U7',
      transports: 'internal',
      device_type: 'singleDevice',
      credential_id: 'vhKEDRh7nF2uTLUlkFCSYpP8zMN1nxPR09iv0DrYudA',
    },
  ],
  sessions: [
    {
      id: '08aaea5a-d9d7-4dc0-86fd-ff9aee87216e',
      token: '966c070540f0f9290cd0e71144a307d673ef084e8a482a41caf42d2d1d38a1f4',
      user_id: '169cb243-ab5c-4fda-9aea-ffbdbbbe02d5',
      created_at: '2026-11-22T14:04:19.565+00:00',
      expires_at: '2026-12-22T14:04:19.565+00:00',
      ip_address: '127.0.0.1',
      updated_at: '2026-11-22T14:04:19.565+00:00',
      user_agent: 'node',
    },
  ],
  sign_in_verifications: [
    {
      id: '61c81ff8-d5a8-4fba-9f0a-b313f6b9c615',
      value: '169cb243-ab5c-4fda-9aea-ffbdbbbe02d5',
      created_at: '2026-11-22T14:04:18.547+00:00',
      expires_at: '2026-11-22T14:14:18.547+00:00',
      identifier: '2fa-noFprrSXWSw8hM6O3wuE',
      updated_at: '2026-11-22T14:04:18.547+00:00',
    },
    {
      id: '22e48583-a032-47cf-8a7a-eb02271a03b5',
      value: '0',
      created_at: '2026-11-22T14:04:18.557+00:00',
      expires_at: '2026-11-22T14:14:18.547+00:00',
      identifier: '2fa-attempts-2fa-noFprrSXWSw8hM6O3wuE',
      updated_at: '2026-11-22T14:04:18.557+00:00',
    },
  ],
}

/** Moment at which the rows were written, just after the last sign-in. Milliseconds since the epoch. */
export const earlierNow = 1795356260001

/** The cookie of a session, and that of a sign-in that waits for a code. */
export const earlierCookies = {
  session:
    'docket_3d2cd435=Go5p2Dk4tfwLUNy8-qt09USx9yULjPFAdMr6oVHe74E.WkvUMTK0207XgWWNnYawvMkXWCDRPOVA%2B8JmIaXeKP8%3D',
  pending: 'docket_3d2cd435.two_factor=2fa-noFprrSXWSw8hM6O3wuE.xMNWmlnujbKWgsGZltrnowFbO6lRoYsSstM02%2BA8V%2BU%3D',
}

/** The secret as the app has it, and the backup codes as the person wrote them down; the last one is used. */
export const earlierSecondFactor = {
  secret: 'GREWG4LTKBDEG427PJBHMS3SKNEW6S3MK5XVMVJZGBNGYQS7INEA',
  codes: [
    '807Ii-I0sDv',
    'jBz9k-mXBZ8',
    'rWwI6-195s1',
    't0efR-fv3ce',
    'P4yLK-7x9aB',
    'oHysW-zGYMU',
    'eskRn-xCoED',
    'GeUgo-Kja8M',
    'g6tZj-jzRqG',
    'JOaHN-FLfPQ',
  ],
}

/** The passkey as the device has it. */
export const earlierPasskey = {
  id: 'vhKEDRh7nF2uTLUlkFCSYpP8zMN1nxPR09iv0DrYudA',
  counter: 2,
  privateKey: createPrivateKey({
    key: Buffer.from('MC4CAQAwBQYDK2VwBCIEIIg6608QrnU12kDJ9dvh1bN7eKaa2Z6/AWIqsIXB1Qd7', 'base64'),
    format: 'der',
    type: 'pkcs8',
  }),
}
