/** Objects of a stored bundle by its SHA-256. Docket writes `report` last of what it makes, and the database row after all of them. */
export const artifactKeys = (sha256: string) => {
  if (!/^[\da-f]{64}$/.test(sha256)) throw new TypeError('A SHA-256 has 64 lower-case hexadecimal digits')
  return {
    prefix: `sha256/${sha256}/`,
    /** The bytes as the service sent them. */
    bundle: `sha256/${sha256}/bundle`,
    /** Its files, readable one by one. */
    zip: `sha256/${sha256}/site.zip`,
    manifest: `sha256/${sha256}/manifest.json.gz`,
    report: `sha256/${sha256}/report.json.gz`,
  }
}
