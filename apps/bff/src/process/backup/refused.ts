/** A refused backup or restore. The message tells the operator what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
