import { spawn } from 'node:child_process'

/** Children that run now, by process id. Each leads a process group, so a signal reaches what it started too. */
const running = new Set()

/** Ends every child of `runQuietly` and what those started. */
export const endRunning = () => {
  for (const pid of running) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM')
    } catch {
      // It ended by itself in this moment.
    }
  }
}

/** A preparing step that failed, with everything it printed and what the reader can do about it. */
export class StepFailed extends Error {
  name = 'StepFailed'
  constructor(step, output, remedy) {
    super(`${output.trimEnd()}\n\ndocket: ${step} failed. ${remedy}`)
  }
}

/**
 * Runs a command and keeps what it prints for the case that it fails.
 * Resolves with standard output. Throws `StepFailed`.
 */
export const runQuietly = (step, remedy, [command, ...args], { cwd, env }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      // Only npm's own shims need it: `.cmd` files start through a shell alone.
      shell: process.platform === 'win32' && !command.endsWith('.exe'),
    })
    let output = ''
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      printed += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => (printed += text))
    if (child.pid !== undefined) running.add(child.pid)
    child.on('error', (error) => reject(new StepFailed(step, `${printed}\n${error.message}`, remedy)))
    child.on('close', (code, signal) => {
      running.delete(child.pid)
      if (code === 0) resolve(output)
      else
        reject(
          new StepFailed(
            step,
            `${printed}\n(${[command, ...args].join(' ')}: ${signal ?? `exit code ${code}`})`,
            remedy,
          ),
        )
    })
  })
