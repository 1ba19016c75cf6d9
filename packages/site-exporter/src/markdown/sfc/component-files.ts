import { posix } from 'node:path'
import type { Program } from 'estree'
import type { ElementContent } from 'hast'
import { walkTree } from '#markdown/walk-tree.ts'
import { createAstroComponent, parseAstro } from '@docket/mdx-language/astro'
import type { ModuleScope, Resolve } from '@docket/mdx-language/modules'
import { parseSource } from '@docket/mdx-language/parse-source'
import { runUnlessActive, toNodes, type Run } from '@docket/mdx-language/run'
import { slotsKey, createTemplateEvaluator } from '@docket/mdx-language/template'
import {
  callable,
  isCallable,
  isFields,
  isUnknown,
  markup,
  unknown,
  type Callable,
  type Fields,
  type Value,
} from '@docket/mdx-language/values'
import type { Scope } from '@docket/mdx-language/scope'
import { openVueScript } from '@docket/mdx-language/vue'
import { findComponent } from '#markdown/components/names.ts'
import { literalNames, readableNames } from '#markdown/components/unknown.ts'
import { type Place, isPlaceholder } from '#markdown/mdx/mdx-host.ts'
import type { Piece } from '#markdown/mdx/page-pieces.ts'
import { findClosedNames, isHtmlElement, repairTags } from '#markdown/mdx/raw-tags.ts'
import { parseHtml } from '#markdown/parse-html.ts'

/** Tools for one page. `globals` are names that every component can use, such as those of a theme. */
export type ComponentTools = { page: string; run: Run; place: Place; resolve: Resolve; globals: Scope | null }

type Component = { component: Callable; missing: ModuleScope['missing'] }

/** Name under which components in `.astro` files import the texts of the site. */
export const stringsName = 'astro:strings'

export const isComponentFile = (file: string): boolean => /\.(astro|vue)$/i.test(file)

/** Reads the component of an `.astro` or `.vue` file. Throws a `SyntaxError`. */
export const readComponentFile = (piece: Piece, tools: ComponentTools, strings: Value): Component => {
  const { file, source } = piece
  const name = posix.basename(file).replace(/\.\w+$/, '')
  const read = /\.vue$/i.test(file)
    ? createVueComponent(source ?? '', name, piece.file, tools)
    : createAstroComponent(parseAstro(source ?? ''), name, createAstroGlobals(strings), tools.resolve, tools.run)
  return { ...read, component: reportOnce(read.component, tools) }
}

/** Wraps a component so that its unknown values give one line in the report and no box on the page. */
const reportOnce = (component: Callable, { run, place }: ComponentTools): Callable => ({
  ...component,
  call: ([props]) => {
    const before = place.component
    place.component = component.name
    try {
      const value = component.call([props])
      const nodes = (isUnknown(value) ? run.host.hole(value.reason) : toNodes(value, run)).flatMap(
        withoutWordlessComponents(run),
      )
      if (nodes.some(hasContent)) return markup(nodes)
      run.host.hole('all that it shows')
      return markup([...nodes, ...readChildren(props, run)])
    } finally {
      place.component = before
    }
  },
})

/** Removes components of packages that have no text, such as icons. */
const withoutWordlessComponents =
  (run: Run) =>
  (node: ElementContent): ElementContent[] => {
    if (node.type !== 'element' || node.tagName === 'svg') return [node]
    const children = node.children.flatMap(withoutWordlessComponents(run))
    const { tagName, properties } = node
    const isKnown =
      isHtmlElement(tagName) ||
      findComponent(tagName) !== null ||
      isPlaceholder(node) ||
      /^(x-|Fragment$)/.test(tagName)
    const hasWords = readableNames.some((name) => typeof properties[name] === 'string')
    if (isKnown || hasWords || children.some(hasContent)) return [{ ...node, children }]
    run.host.hole(`<${tagName}>`)
    return []
  }

const readChildren = (props: Value, run: Run): ElementContent[] => {
  if (!isFields(props)) return []
  const slots = props.get(slotsKey)
  const given = isFields(slots) ? [...slots.values()].map((slot) => (isCallable(slot) ? slot.call([]) : slot)) : []
  return toNodes([...given, props.get('children')], run)
}

const hasContent = (node: ElementContent): boolean =>
  node.type === 'text'
    ? node.value.trim() !== ''
    : node.type === 'element' &&
      !isPlaceholder(node) &&
      (/^(img|video|audio|iframe|svg|hr)$/i.test(node.tagName) ||
        findComponent(node.tagName) !== null ||
        literalNames.some((name) => typeof node.properties[name] === 'string') ||
        node.children.some(hasContent))

/** `Astro.locals.t(key)` reads the texts of a Starlight site. */
const createAstroGlobals = (strings: Value): Fields => {
  const translate = callable('t', ([key]) => {
    const text = isFields(strings) && typeof key === 'string' ? strings.get(key) : undefined
    return typeof text === 'string' ? text : unknown(`the text ${typeof key === 'string' ? key : ''}`)
  })
  return new Map([['locals', new Map([['t', translate]])]])
}

const scriptTag = /^<script\b[^>]{0,500}>/gim
const templateTag = /^<template\b([^>]{0,500})>/im

/** Splits a `.vue` file. Takes linear time on any input. */
const splitVue = (source: string): { scripts: string[]; template: string } => {
  const scripts: string[] = []
  const rest: string[] = []
  const tags = new RegExp(scriptTag)
  let at = 0
  for (let tag = tags.exec(source); tag; tag = tags.exec(source)) {
    const end = source.indexOf('</script>', tags.lastIndex)
    if (end < 0) break
    rest.push(source.slice(at, tag.index))
    scripts.push(source.slice(tags.lastIndex, end))
    at = end + '</script>'.length
    tags.lastIndex = at
  }
  const markupOnly = rest.join('') + source.slice(at)
  const open = templateTag.exec(markupOnly)
  const end = markupOnly.lastIndexOf('</template>')
  // `lang="pug"` is not HTML.
  const isTemplate = open !== null && end > open.index && !/\blang=/.test(open[1] ?? '')
  return { scripts, template: isTemplate ? markupOnly.slice(open.index + open[0].length, end) : '' }
}

const createVueComponent = (source: string, name: string, file: string, tools: ComponentTools): Component => {
  const { run, resolve, globals } = tools
  const { scripts, template } = splitVue(source)
  const programs = scripts.map(parseVueScript)
  const nodes = parseVueTemplate(template, file, tools.page)
  const { all, repeating } = createTemplateEvaluator(run)
  const call: Callable['call'] = ([given]) =>
    runUnlessActive(run, file, name, () => {
      const props = isFields(given) ? given : new Map<string, Value>()
      const { scope } = openVueScript(programs, globals, resolve, props, run)
      return markup(repeating(() => all(nodes, scope)))
    })
  return {
    component: callable(name, call),
    missing: openVueScript(programs, globals, resolve, new Map(), run).missing,
  }
}

/** Parses a Vue script, with or without types. Throws a `SyntaxError`. */
export const parseVueScript = (source: string): Program => parseSource(source, 'script.ts')

/** Parses a Vue template. Rewrites its relative addresses for the folder of the page. */
const parseVueTemplate = (source: string, file: string, page: string): ElementContent[] => {
  const tree = parseHtml(repairTags(source, findClosedNames([source])))
  walkTree(tree, 'element', ({ properties }) => {
    const { src } = properties
    if (typeof src === 'string' && /^\.\.?\//.test(src))
      properties['src'] = posix.relative(posix.dirname(page), posix.join(posix.dirname(file), src))
  })
  return tree.children as ElementContent[]
}
