import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readFiles } from '#bench/harness/clients.ts'
import { makeFile, mib, peakMb, readWhole } from '#bench/harness/large-files.ts'
import { startNginx } from '#bench/harness/nginx.ts'
import { startScript } from '#bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import { memoryMb } from '#bench/harness/usage.ts'

const sizeBytes = 256 * mib
const readers = 64
const slowBytesPerSecond = 1_000_000

/** A stored bundle on its way from the local disk. */
export const storedDownload: Row = {
  name: 'stored',
  title: 'Downloads of stored bundles',
  method:
    'One client downloads a file of 256 MiB from nginx and through Docket’s code for stored bundles, in turns, and discards it. nginx reads and writes (`sendfile off`, its default), as Node does; with `sendfile on` the kernel copies the file, which Node has no call for. Memory is PSS.',
  run: async (world) => {
    if (world.nginx === null) return [line('downloads', '–', 'nginx is not installed', null)]
    const file = join(world.folder, 'bundle.tar.gz')
    await makeFile(file, sizeBytes)
    const root = `root ${world.folder};`
    const plain = await startNginx(world.folder, 'stored', { server: `sendfile off; ${root}` })
    const kernel = await startNginx(world.folder, 'stored-sendfile', { server: root })
    const docket = await startScript(join(import.meta.dirname, '..', 'servers', 'stored-bundle.ts'), { file })
    try {
      const read = (server: typeof docket) => () => readWhole(server.pid, `${server.address}/bundle.tar.gz`, sizeBytes)
      // Memory left by the first download belongs to any server.
      await read(docket)()
      await delay(2_000)
      const idle = memoryMb(docket.pid)
      const url = `${docket.address}/bundle.tar.gz`
      const seconds = world.quick ? 5 : 15
      const peak = await peakMb(docket.pid, readFiles({ url, readers, bytesPerSecond: slowBytesPerSecond, seconds }))
      const measured = await inTurns(world.quick ? 5 : 11, {
        docket: read(docket),
        plain: read(plain),
        kernel: read(kernel),
      })
      const compare = (
        reference: 'plain' | 'kernel',
        what: 'mbPerSecond' | 'cpu',
        bar: { atLeast?: number; atMost?: number },
      ): Line => {
        const readMedian = (name: 'docket' | typeof reference) => median(measured[name].map((one) => one[what]))
        const [own, other] = [readMedian('docket'), readMedian(reference)]
        const title = what === 'cpu' ? 'CPU seconds' : 'MB/s'
        const name = reference === 'plain' ? 'nginx' : 'nginx with sendfile'
        return line(`256 MiB: ${title}`, digits(own), `${name} ${digits(other)}`, own / other, bar)
      }
      return [
        line(
          `memory for each of ${readers} slow readers, beyond idle: MB`,
          digits(peak),
          `idle ${digits(idle)}`,
          (peak - idle) / readers,
          { atMost: 2 },
        ),
        compare('plain', 'mbPerSecond', { atLeast: 0.9 }),
        compare('plain', 'cpu', { atMost: 1.5 }),
        compare('kernel', 'mbPerSecond', {}),
        compare('kernel', 'cpu', {}),
      ]
    } finally {
      for (const server of [docket, plain, kernel]) await server.stop()
    }
  },
}
