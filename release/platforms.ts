/** Machines that a release is built for. Both are Linux with glibc. */
export const architectures = ['x64', 'arm64'] as const

/** Architecture of a machine, in Node's words. */
export type Architecture = (typeof architectures)[number]

/** Version of Node in a release, and of the one that builds it: the one that the bootstrap gets. */
export const nodeVersion = '24.21.0'

/** SHA-512 of the npm packages that bring that Node, as the lockfile writes it. */
export const nodeIntegrity: Readonly<Record<Architecture, string>> = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
}
