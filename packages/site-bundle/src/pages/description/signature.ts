/** MinHash with one permutation (Li, Owen, Zhang 2012) over runs of three words; 64 bins of 16 bits. */
const bins = 64
const empty = 0xffff

/** The signature is in base64url, and empty for a text without words. */
export const signText = (text: string): { signature: string; words: number } => {
  const smallest = new Uint32Array(bins).fill(0xffffffff)
  let first = 0
  let second = 0
  let word = 0
  let count = 0
  const addWord = () => {
    const run = mixBits((Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)) + Math.imul(word, 0xc2b2ae3d))
    const bin = run >>> 26
    const hash = mixBits(run ^ 0x5bd1e995)
    if (hash < smallest[bin]!) smallest[bin] = hash
    first = second
    second = word
    word = 0
    count++
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32) {
      if (word !== 0) addWord()
      continue
    }
    // Chinese, Japanese, Korean and Thai have no spaces between words.
    const isWordByItself = code >= 0x0e00 && (code < 0x0f00 || (code >= 0x3040 && code < 0xd800))
    if (isWordByItself && word !== 0) addWord()
    word = Math.imul((word === 0 ? 0x811c9dc5 : word) ^ (code >= 65 && code <= 90 ? code + 32 : code), 0x01000193) | 1
    if (isWordByItself) addWord()
  }
  if (word !== 0) addWord()
  if (count === 0) return { signature: '', words: 0 }
  const signature = Buffer.alloc(bins * 2)
  for (const [bin, hash] of smallest.entries())
    signature.writeUInt16BE(hash === 0xffffffff ? empty : (hash >>> 16) % empty, bin * 2)
  return { signature: signature.toString('base64url'), words: count }
}

const mixBits = (value: number) => {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export const readSignature = (signature: string): Uint16Array => {
  const bytes = Buffer.from(signature, 'base64url')
  const values = new Uint16Array(bins).fill(empty)
  for (let bin = 0; bin * 2 + 1 < bytes.length && bin < bins; bin++) values[bin] = bytes.readUInt16BE(bin * 2)
  return values
}

/** Estimated share of runs of words that two texts have in common, 0 to 1. */
export const estimateSimilarity = (a: Uint16Array, b: Uint16Array): number => {
  let same = 0
  let used = 0
  for (let bin = 0; bin < bins; bin++) {
    if (a[bin] === empty && b[bin] === empty) continue
    used++
    if (a[bin] === b[bin]) same++
  }
  return used === 0 ? 0 : same / used
}
