/** A backup or a restore that cannot be done, or must not. The message is for the operator and says what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
