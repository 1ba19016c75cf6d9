import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import type { Node } from 'acorn'
import { parseSource } from '@docket/mdx-language/parse-source'
import { isData } from '#site/data.ts'

const maxBytes = 256 * 1024
const maxModules = 60
const maxDepth = 200
const endings = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

type Edit = { start: number; end: number; text: string }
type Module = { name: string; hasDefault: boolean }
type Statement = Node & {
  source?: { value?: unknown } | null
  declaration?: (Node & { id?: { name: string } | null; declarations?: { id: { name?: string } }[] }) | null
  specifiers?: {
    type: string
    local: { name: string }
    imported?: { name: string }
    exported?: { name: string }
  }[]
  expression?: Node & { operator?: string; left?: Node; right?: Node }
}

/** Joins a configuration module and its local imports into one program for `readLiterals`. Runs nothing. Null if the file is missing or invalid. */
export const joinModules = async (folder: Pick<SourceFolder, 'read'>, file: string): Promise<string | null> => {
  const modules = new Map<string, Module>()
  const parts: string[] = []
  let left = maxModules

  const find = async (from: string, reference: string): Promise<Module | null> => {
    if (!/^\.\.?(\/|$)/.test(reference)) return null
    const path = posix.join(posix.dirname(from), reference)
    for (const candidate of endings.map((ending) => path + ending)) {
      const known = modules.get(candidate)
      if (known) return known
      const content = left-- > 0 ? await folder.read(candidate, maxBytes) : null
      if (content) return add(candidate, content.toString('utf8'))
    }
    return null
  }

  const add = async (path: string, source: string): Promise<Module> => {
    const added: Module = { name: `module$${modules.size}`, hasDefault: true }
    // Registered before its imports are read, so that cycles end.
    modules.set(path, added)
    const isJson = path.endsWith('.json')
    const text = isJson ? `export default ${source}` : source
    const { edits, exported } = await readModule(text, path, find)
    added.hasDefault = exported.has('default')
    const returned = [...exported].map(([name, local]) => `${JSON.stringify(name)}: ${local}`).join(', ')
    parts.push(`const ${added.name} = (() => {${applyEdits(text, edits)}\nreturn { ${returned} } })();`)
    return added
  }

  const source = await folder.read(file, maxBytes)
  if (!source) return null
  try {
    const { name } = await add(file, source.toString('utf8'))
    return `${parts.join('\n')}\nexport default ${name}.default`
  } catch {
    return null
  }
}

const readModule = async (
  text: string,
  path: string,
  find: (from: string, reference: string) => Promise<Module | null>,
) => {
  const edits: Edit[] = []
  const exported = new Map<string, string>()
  // Does not use Node's own type stripping, which a deeply nested source breaks for the whole process.
  const program = parseSource(text, 'config.ts') as unknown as Node & { body: unknown }
  for (const node of program.body as Statement[]) {
    const { start, end, type, declaration, specifiers = [] } = node
    const reference = typeof node.source?.value === 'string' ? node.source.value : ''
    const from = reference === '' ? null : await nullIfInvalid(find(path, reference))
    if (type === 'ImportDeclaration') {
      const names = specifiers.map(({ type: kind, local, imported }) => {
        const member = kind === 'ImportDefaultSpecifier' ? 'default' : imported?.name
        return `const ${local.name} = ${from?.name}${member === undefined ? '' : `.${member}`};`
      })
      edits.push({ start, end, text: from ? names.join(' ') : '' })
    } else if (type === 'ExportDefaultDeclaration') {
      edits.push({ start, end: declaration!.start, text: 'const default$ = ' })
      exported.set('default', 'default$')
    } else if (type === 'ExportNamedDeclaration') {
      edits.push({ start, end: declaration?.start ?? end, text: '' })
      for (const { id } of declaration?.declarations ?? []) if (id.name) exported.set(id.name, id.name)
      if (declaration?.id && !declaration.type.startsWith('TS')) exported.set(declaration.id.name, declaration.id.name)
      for (const { local, exported: name } of specifiers)
        if (name && (from || reference === ''))
          exported.set(name.name, from ? `${from.name}.${local.name}` : local.name)
    } else if (type === 'ExpressionStatement' && isModuleExports(text, node.expression)) {
      edits.push({ start, end: node.expression!.right!.start, text: 'const default$ = ' })
      exported.set('default', 'default$')
    } else if (type === 'IfStatement') {
      // Such a condition depends on the build environment, and would make the whole module unknown.
      edits.push({ start, end, text: '' })
    }
  }
  for (const { node, reference, isResolved } of findRequires(program)) {
    if (isResolved) {
      edits.push({ start: node.start, end: node.end, text: JSON.stringify(reference) })
      continue
    }
    const module = await nullIfInvalid(find(path, reference))
    const value = module ? module.name + (module.hasDefault ? '.default' : '') : 'undefined'
    edits.push({ start: node.start, end: node.end, text: `(${value})` })
  }
  return { edits, exported }
}

/** An imported module that does not parse counts as missing. */
const nullIfInvalid = (module: Promise<Module | null>) => module.catch(() => null)

const isModuleExports = (text: string, expression: Statement['expression']) =>
  expression?.type === 'AssignmentExpression' &&
  expression.left !== undefined &&
  /^(module\.)?exports(\.default)?$/.test(text.slice(expression.left.start, expression.left.end))

const findRequires = (program: Node) => {
  const found: { node: Node; reference: string; isResolved: boolean }[] = []
  const walk = (value: unknown, depth: number) => {
    if (depth > maxDepth) return
    if (Array.isArray(value)) for (const item of value as unknown[]) walk(item, depth + 1)
    if (!isData(value)) return
    const { type, callee, arguments: given } = value as { type?: string; callee?: Callee; arguments?: Argument[] }
    const reference = given?.[0]?.value
    if (type === 'CallExpression' && typeof reference === 'string') {
      const isResolved = callee?.object?.name === 'require' && callee.property?.name === 'resolve'
      if (isResolved || callee?.name === 'require') {
        found.push({ node: value as unknown as Node, reference, isResolved })
        return
      }
    }
    for (const item of Object.values(value)) walk(item, depth + 1)
  }
  walk(program.type === 'Program' ? program : null, 0)
  return found
}
type Callee = { name?: string; object?: { name?: string }; property?: { name?: string } }
type Argument = { value?: unknown }

const applyEdits = (text: string, edits: readonly Edit[]) => {
  let result = ''
  let end = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < end) continue
    result += text.slice(end, edit.start) + edit.text
    end = edit.end
  }
  return result + text.slice(end)
}
