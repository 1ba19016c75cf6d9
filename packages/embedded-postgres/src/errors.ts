/** The embedded PostgreSQL cannot run here. The message is one sentence for the operator and names `DATABASE_URL`. */
export class EmbeddedPostgresUnavailable extends Error {
  override readonly name = 'EmbeddedPostgresUnavailable'

  constructor(reason: string, cause?: unknown) {
    super(
      `The embedded PostgreSQL cannot run here: ${reason}. Set DATABASE_URL to use a PostgreSQL of your own.`,
      cause === undefined ? {} : { cause },
    )
  }
}

/** Another process uses the data directory. Two servers on one directory would lose data. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'

  constructor(dataDir: string) {
    super(`Another Docket is running on ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.`)
  }
}
