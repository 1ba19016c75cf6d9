import { Transform, pipeline, type Readable } from 'node:stream'
import { StorageFailed } from '#object-storage.ts'

/** Checks a key, so that it can never lead out of a folder. */
export const assertKey = (key: string): void => {
  const names = key.split('/')
  if (key.length > 900 || !names.every((name) => /^[a-z0-9][\w.-]{0,199}$/i.test(name)))
    throw new TypeError('A key consists of plain names')
}

/**
 * Passes on exactly `sizeBytes` and fails when there are more or fewer. `maxIdleMs` limits how long the storage may send nothing;
 * a reader that pauses does not count. `toFailure` describes errors of `source`.
 */
export const checkContent = (
  source: Readable,
  sizeBytes: number,
  toFailure: (error: Error) => StorageFailed,
  maxIdleMs?: number,
): Readable => {
  let missing = sizeBytes
  let lastAt = performance.now()
  const content = new Transform({
    transform: (chunk: Buffer, _, done) => {
      missing -= chunk.length
      lastAt = performance.now()
      if (missing < 0) done(new StorageFailed('The storage sent more than the object has.'))
      else done(null, chunk)
    },
    flush: (done) => {
      done(missing === 0 ? null : new StorageFailed('The storage broke off in the middle of an object.'))
    },
    destroy: (error, done) => {
      clearInterval(timer)
      done(error === null || error instanceof StorageFailed ? error : toFailure(error))
    },
  })
  const timer =
    maxIdleMs === undefined
      ? undefined
      : setInterval(() => {
          const waitsForReader = content.readableLength > 0
          if (waitsForReader) lastAt = performance.now()
          else if (performance.now() - lastAt > maxIdleMs)
            content.destroy(new StorageFailed('The storage stopped sending in the middle of an object.'))
        }, maxIdleMs / 4).unref()
  pipeline(source, content, () => {})
  return content
}
