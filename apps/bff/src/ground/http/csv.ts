import { ReadableStream as NodeStream } from 'node:stream/web'
import { stringify } from 'csv-stringify/sync'
import type { Context } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'

type Cell = string | number | boolean | null

const toCellText = (cell: Cell) => (typeof cell === 'boolean' ? String(cell) : cell)

/** Formats rows as CSV (RFC 4180). A cell that looks like a formula begins with an apostrophe. */
const formatCsvRows = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map(toCellText)),
    { escape_formulas: true, record_delimiter: '\r\n' },
  )

/** Columns of a CSV file, in order: the name of each and how to read it from a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>

export async function* toCsv<Row>(columns: CsvColumns<Row>, pieces: AsyncIterable<readonly Row[]>) {
  yield formatCsvRows([Object.keys(columns)])
  for await (const rows of pieces)
    yield formatCsvRows(rows.map((row) => Object.values(columns).map((read) => read(row))))
}

/** A file to download: `docket-<what>-<UTC date>.<ending>`. `now` in milliseconds since the epoch. */
type StreamedFile = { what: string; ending: 'csv' | 'json' | 'jsonl'; now: number; texts: AsyncIterable<string> }

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json', jsonl: 'application/x-ndjson' }

/** Streams a file while it is being made. A failure cuts the connection, so that a partial file is not taken for a whole one. */
export const streamFile = (c: Context<AppEnv>, { what, ending, now, texts }: StreamedFile): Response => {
  const bytes = async function* () {
    const encoder = new TextEncoder()
    try {
      for await (const text of texts) yield encoder.encode(text)
    } catch (error) {
      c.var.log.warn({ err: error }, `a file of ${what} broke off`)
      // If the stream ended normally, the server would write the error into the file.
      c.env.outgoing.destroy()
    }
  }
  const day = new Date(now).toISOString().slice(0, 10)
  return c.body(NodeStream.from(bytes()) as ReadableStream<Uint8Array<ArrayBuffer>>, 200, {
    'Content-Type': types[ending],
    'Content-Disposition': `attachment; filename="docket-${what}-${day}.${ending}"`,
  })
}
