import type * as fileSystem from 'node:fs'

/**
 * A scripted agent: a JavaScript program that reads the prompt from its context and works in the checkout, as a model would, on what
 * the prompts of the fixture ask for. Says so when it does not know what to do.
 */
const program = () => {
  const fs = require('node:fs') as typeof fileSystem
  const context = JSON.parse(fs.readFileSync(`${process.env['DOCKET_CONTEXT']}`, 'utf8')) as { prompt: string }
  const prompt = context.prompt.trim()
  const edit = (file: string, change: (text: string) => string) =>
    fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')))
  const say = (line: string) => console.log(line)
  const append = (file: string, text: string) => edit(file, (before) => `${before}\n${text}\n`)
  const works: [RegExp, (...groups: string[]) => void][] = [
    [/^update the version to ([\d.]+)/i, (version) => edit('guide/install.mdx', (t) => t.replaceAll('1.2', version!))],
    [/^add a page about (\w+)/i, (topic) => fs.writeFileSync(`guide/${topic}.mdx`, `# ${topic}\n\nAll about it.\n`)],
    [/^add a (section|warning|note|table) .*\bto (\S+\.mdx)/i, (what, file) => append(file!, `## A ${what}\n\nText.`)],
    [
      /^remove the (?:line|paragraph) about (\w+)/i,
      () => edit('guide/keys.mdx', (t) => t.replace(/\nDeprecated.*\n/, '')),
    ],
    [/^delete (\S+\.mdx)/i, (file) => fs.rmSync(file!)],
    [/^translate (\S+)\.mdx (?:in)?to (\w+)/i, (file, to) => fs.copyFileSync(`${file}.mdx`, `${file}.${to}.mdx`)],
    [/^rewrite the introduction/i, () => edit('index.mdx', (t) => t.replace('This is teh', 'Welcome to the'))],
    [/^(?:describe|document|explain) (.+)/i, (what) => append('guide/keys.mdx', `## ${what}\n\nText.`)],
    [/^write (\d+) MB/i, (size) => fs.writeFileSync('big.txt', 'x'.repeat(Number(size) * 1024 * 1024))],
    [
      /change the workflow/i,
      () => (fs.mkdirSync('.github/workflows', { recursive: true }), fs.writeFileSync('.github/workflows/ci.yml', 'x')),
    ],
    [/link to the password/i, () => fs.symlinkSync('/etc/passwd', 'password.mdx')],
    [/read (\S+) of the host/i, (file) => fs.writeFileSync('read.mdx', fs.readFileSync(file!, 'utf8'))],
  ]
  for (const [pattern, work] of works) {
    const match = pattern.exec(prompt)
    if (!match) continue
    work(...match.slice(1))
    say(`Done: ${prompt.slice(0, 60)}`)
    return
  }
  say(`I changed nothing, because I don't know what this asks for: ${prompt.slice(0, 60)}`)
}

/** The command line that runs it. */
export const agentCommand = `"${process.execPath}" -e "eval(Buffer.from('${Buffer.from(`(${program.toString()})()`).toString('base64')}','base64').toString())"`
