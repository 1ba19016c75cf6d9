// Reads the index of the search: scripts that register their data, because pages opened from a disk can load nothing else.
;(() => {
  'use strict'
  const { root, make } = window.docket
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const values = new Map(Array.from(digits, (digit, value) => [digit, value]))
  /** Files for one word: more for a short beginning would only add noise. */
  const maxFiles = 3
  const maxCompletions = 12
  const maxCorrections = 4
  const maxTerms = 12

  // The words of `writer/search/words.ts`.
  const unspaced =
    '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
  const runs = new RegExp(`[${unspaced}]+|[^${unspaced}\\p{Z}\\p{P}\\p{S}\\p{C}]+`, 'gu')
  const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u')
  const fold = (word) =>
    word
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]+/g, '')
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+|[\u0300-\u036f]+/gu, '')
      .slice(0, 40)
      .replace(/[\ud800-\udbff]$/, '')
  const pairs = (run) => {
    const characters = Array.from(run)
    return characters.length < 2 ? characters : characters.slice(1).map((second, index) => characters[index] + second)
  }
  const splitTerms = (text) =>
    [...text.matchAll(runs)].flatMap(([run]) => {
      const word = fold(run)
      return startsUnspaced.test(word) ? pairs(word) : word === '' ? [] : [word]
    })

  const waiting = new Map()
  window.docketSearch = (name, data) => {
    waiting.get(name)?.(data)
    waiting.delete(name)
  }
  const loaded = new Map()
  const load = (name, digest) => {
    const known = loaded.get(name)
    if (known) return known
    const loading = new Promise((resolve, reject) => {
      waiting.set(name, resolve)
      const fail = () => reject(new Error(name))
      const src = `${root}_docket/search/${name}.js${digest ? `?${digest}` : ''}`
      const script = make('script', { src, onerror: fail })
      // A damaged file loads, and registers nothing.
      script.onload = () => {
        script.remove()
        if (waiting.has(name)) fail()
      }
      document.head.append(script)
    })
    loaded.set(name, loading)
    loading.catch(() => loaded.delete(name))
    return loading
  }

  /** Number of the file that would hold a term. */
  const findFile = (firsts, term) => {
    let [low, high] = [0, firsts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (firsts[middle] <= term) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

  const parseTerms = (text) => {
    const parts = text.split(' ')
    const terms = new Map()
    for (let at = 0; at + 1 < parts.length; at += 2) terms.set(parts[at], parts[at + 1])
    return terms
  }
  const parseWords = (text) => {
    let before = ''
    return text.split(' ').map((piece) => {
      const shared = values.get(piece[0])
      before = before.slice(0, shared) + piece.slice(1, -1)
      return { term: before, rank: values.get(piece.at(-1)) }
    })
  }

  /** Calls `use` with the number and impact of every page, and returns the number of pages that have the term. */
  const readPostings = (text, use) => {
    const cut = text.indexOf('.')
    let [page, count] = [-1, 0]
    for (let at = cut + 1; at < text.length; count++) {
      const impact = values.get(text[at++])
      let [step, shift, digit] = [0, 0, 0]
      do {
        digit = values.get(text[at++])
        step |= (digit & 31) << shift
        shift += 5
      } while (digit & 32)
      page += step + 1
      use(page, impact)
    }
    return cut < 0 ? count : Number(text.slice(0, cut))
  }

  const edits = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)]
  /** Edits between two words, with swapped letters as one; `max + 1` for more than `max`. */
  const countEdits = (a, b, max) => {
    if (Math.abs(a.length - b.length) > max) return max + 1
    let [last, row, next] = edits
    for (let j = 0; j <= b.length; j++) row[j] = j
    for (let i = 1; i <= a.length; i++) {
      let least = (next[0] = i)
      for (let j = 1; j <= b.length; j++) {
        const cost = a[i - 1] === b[j - 1] ? 0 : 1
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + cost)
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          next[j] = Math.min(next[j], last[j - 2] + 1)
        least = Math.min(least, next[j])
      }
      if (least > max) return max + 1
      ;[last, row, next] = [row, next, last]
    }
    return row[b.length]
  }

  /** Index of one language and version. */
  const openScope = (number, { digest }) => {
    const get = (name) => load(`${number}/${name}`, digest)
    const parsed = new Map()
    const getParsed = (name, parse) => {
      const known = parsed.get(name) ?? get(name).then(parse)
      parsed.set(name, known)
      known.catch(() => parsed.delete(name))
      return known
    }
    const start = () => get('start')
    const termsAt = (at) => getParsed(`terms-${at}`, parseTerms)
    const wordsAt = (at) => getParsed(`words-${at}`, parseWords)

    const completions = async (term) => {
      const { terms, words } = await start()
      const last = `${term}\uffff`
      const [from, to] = [findFile(terms, term), findFile(terms, last)]
      const isPair = startsUnspaced.test(term)
      const near = isPair ? Math.min(to, from + maxFiles - 1) : from
      const found = new Map()
      for (const list of await Promise.all(range(from, near).map(termsAt)))
        for (const [candidate, postings] of list)
          if (candidate.startsWith(term)) found.set(candidate, Math.log2(postings.length / 3))
      if (!isPair && words.length > 0) {
        const first = findFile(words, term)
        const files = range(first, Math.min(findFile(words, last), first + maxFiles - 1))
        for (const list of await Promise.all(files.map(wordsAt)))
          for (const { term: candidate, rank } of list) if (candidate.startsWith(term)) found.set(candidate, rank)
      }
      found.delete(term)
      return [...found].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length).slice(0, maxCompletions)
    }

    const corrections = async (term) => {
      const max = term.length < 4 ? 0 : term.length < 7 ? 1 : 2
      const { words } = await start()
      if (max === 0 || startsUnspaced.test(term) || words.length === 0) return []
      // The first letter is taken as right, or as swapped with the second; a small site is looked through.
      const files = new Set(words.length <= maxFiles ? words.keys() : [])
      for (const first of words.length <= maxFiles ? [] : [term[0], term[1]])
        for (const at of range(findFile(words, first), findFile(words, `${first}\uffff`)))
          if (files.size < 2 * maxFiles) files.add(at)
      const found = []
      for (const list of await Promise.all([...files].map(wordsAt)))
        for (const { term: candidate, rank } of list) {
          const edits = countEdits(term, candidate, max)
          if (edits <= max) found.push([candidate, edits, rank])
        }
      found.sort((a, b) => a[1] - b[1] || b[2] - a[2])
      return found.filter(([, edits]) => edits === found[0][1]).slice(0, maxCorrections)
    }

    /** Pages with a word or something near it: page → weight, and the words that were found. */
    const findWord = async (term) => {
      const { terms, pages } = await start()
      if (terms.length === 0) return { weights: new Map(), found: [], isCommon: false }
      const exact = (await termsAt(findFile(terms, term))).get(term)
      const begun = term.length > 1 || startsUnspaced.test(term) ? await completions(term) : []
      const ways = begun.map(([candidate]) => [candidate, 0.6 * (term.length / candidate.length) ** 0.5])
      if (exact !== undefined) ways.unshift([term, 1])
      if (ways.length === 0)
        for (const [candidate, edits] of await corrections(term)) ways.push([candidate, 0.6 / edits])
      const [weights, found] = [new Map(), []]
      let isCommon = false
      const files = new Set(exact === undefined ? [] : [findFile(terms, term)])
      for (const [candidate] of ways) if (files.size <= maxFiles) files.add(findFile(terms, candidate))
      await Promise.all([...files].map(termsAt))
      for (const [candidate, factor] of ways) {
        const file = findFile(terms, candidate)
        const postings = files.has(file) ? (await termsAt(file)).get(candidate) : undefined
        if (postings === undefined) continue
        found.push(candidate)
        const impacts = []
        const count = readPostings(postings, (page, impact) => impacts.push([page, impact]))
        const rarity = Math.log(1 + pages / count)
        for (const [page, impact] of impacts)
          weights.set(page, Math.max(weights.get(page) ?? 0, impact * factor * rarity))
        isCommon ||= count > impacts.length
      }
      return { weights, found, isCommon }
    }

    return {
      /** Pages with all words of a query, else with most of them; the best first. */
      search: async (text) => {
        const terms = [...new Set(splitTerms(text))].slice(0, maxTerms)
        const words = await Promise.all(terms.map(findWord))
        const telling = words.filter(({ isCommon }) => !isCommon)
        const needed = new Set(telling.length > 0 ? telling : words)
        const pages = new Map()
        for (const word of words)
          for (const [page, weight] of word.weights) {
            const sum = pages.get(page) ?? { page, weight: 0, matched: 0 }
            sum.weight += weight
            if (needed.has(word)) sum.matched += 1
            pages.set(page, sum)
          }
        let most = 0
        for (const { matched } of pages.values()) most = Math.max(most, matched)
        const hits = [...pages.values()].filter(({ matched }) => matched === most)
        hits.sort((a, b) => b.weight - a.weight || a.page - b.page)
        return { hits, terms: new Set([...terms, ...words.flatMap(({ found }) => found)]) }
      },
      /** Title, groups and sections of a page. */
      readPage: async (page) => {
        const { chunks } = await start()
        let [at, first] = [0, 0]
        while (first + values.get(chunks[at]) <= page) first += values.get(chunks[at++])
        const [file, title, trail, sections] = (await get(`pages-${at}`))[page - first]
        return { file, title, trail, sections }
      },
    }
  }

  /** Pieces of a text, in turn outside and inside the words that were found. */
  const splitMarked = (text, terms) => {
    const pieces = ['']
    let end = 0
    const mark = (from, to) => {
      if (from === end && pieces.length > 1 && pieces.length % 2 === 1 && pieces.at(-1) === '') {
        pieces.pop()
        pieces[pieces.length - 1] += text.slice(from, to)
      } else {
        pieces[pieces.length - 1] += text.slice(end, from)
        pieces.push(text.slice(from, to))
      }
      pieces.push('')
      end = to
    }
    for (const { 0: run, index } of text.matchAll(runs)) {
      if (startsUnspaced.test(run)) {
        for (let at = 0; at < run.length; at++) {
          const from = index + at
          if (terms.has(fold(run.slice(at, at + 2))) && at + 1 < run.length) mark(Math.max(end, from), from + 2)
          else if (terms.has(run[at])) mark(Math.max(end, from), from + 1)
        }
      } else if (terms.has(fold(run))) mark(index, index + run.length)
    }
    pieces[pieces.length - 1] += text.slice(end)
    return pieces
  }

  const scopes = new Map()
  Object.assign(window.docket, {
    search: {
      start: () => load('start'),
      openScope: (number, entry) => {
        const scope = scopes.get(number) ?? openScope(number, entry)
        scopes.set(number, scope)
        return scope
      },
      splitTerms,
      splitMarked,
    },
  })
})()
