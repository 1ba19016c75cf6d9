import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SourceBuilder } from './source-builder.ts'

const count = 250

/** A site of many pages, with a folder beside it that has files of the same names, `outside/moving`. */
export const fillMovingSite = ({ page, file }: SourceBuilder, outside: string, secret: string): void => {
  page('index.md', '# Home\n')
  mkdirSync(join(outside, 'moving'), { recursive: true })
  for (let index = 0; index < count; index += 1) {
    const name = `page-${index}.md`
    file(`moving/${name}`, `# Page ${index}\n\n![x](picture-${index}.csv)\n`)
    file(`moving/picture-${index}.csv`, 'x')
    file(`leaving/${name}`, `# Leaving ${index}\n`)
    for (const other of [name, `picture-${index}.csv`])
      writeFileSync(join(outside, 'moving', other), `# Secret\n\n${secret}\n`)
  }
}

// Plain JavaScript, as it runs beside everything else and must be quick.
const swap = `
const { workerData: { folder, outside, count, shared } } = require('node:worker_threads')
const { renameSync, rmSync, symlinkSync } = require('node:fs')
const { join } = require('node:path')
const [dir, aside] = [join(folder, 'moving'), join(folder, '.aside')]
const stop = new Int32Array(shared)
for (let round = 0; Atomics.load(stop, 0) === 0; round++) {
  try {
    renameSync(dir, aside); symlinkSync(join(outside, 'moving'), dir)
    Atomics.wait(stop, 0, 0, round % 3)
    rmSync(dir); renameSync(aside, dir)
    Atomics.wait(stop, 0, 0, round % 5)
    if (round % 20 === 0) rmSync(join(folder, 'leaving', 'page-' + (round / 20 % count) + '.md'), { force: true })
  } catch (error) { console.error(error) }
}`

/**
 * Swaps the folder for a link to the one outside, and back, and removes pages, as fast as it goes, until it is stopped.
 */
export const moveFiles = (folder: string, outside: string): (() => Promise<void>) => {
  const shared = new SharedArrayBuffer(4)
  const thread = new Worker(swap, { eval: true, workerData: { folder, outside, count, shared } })
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  return () => {
    Atomics.store(new Int32Array(shared), 0, 1)
    Atomics.notify(new Int32Array(shared), 0)
    return ended
  }
}
