export type Rights = { file: number; folder: number }

/** Permissions that only Docket's user has. */
export const privateRights: Rights = { file: 0o600, folder: 0o700 }

/**
 * Permissions of what is delivered, from those of the target's own folder: whoever may enter it may read, a group that may write to it may
 * write, and nobody else ever may. A folder that only its user may enter gets 0644 and 0755: it protects what is in it, and opens it all.
 */
export const deriveRights = (mode: number): Rights => {
  const given = (mode & 0o077) === 0 ? mode | 0o755 : mode
  return { file: 0o600 | ((given & 0o011) << 2) | (given & 0o020), folder: 0o700 | (given & 0o2075) }
}
