import { spawn } from 'node:child_process'

/**
 * Calls `gone` once when the process that started this one has ended. A killed npm leaves the rest running, and so does
 * the shell that it starts for other scripts than `start`, so nobody else would tell.
 */
export const whenParentIsGone = (gone) => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, 500)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Runs a command in the place of this process: same terminal, same signals, same exit code.
 * It gets its own process group, so that Ctrl-C reaches it once, forwarded, and not twice.
 */
export const become = (command, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', detached: process.platform !== 'win32' })
    const forward = (signal) => child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
    const ignore = whenParentIsGone(() => child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      ignore()
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward)
      resolve(code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1))
    })
  })
