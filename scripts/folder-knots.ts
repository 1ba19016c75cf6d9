import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const specifier = /(?:from|import|import\.meta\.resolve\(|import\()\s*'([#.][^']+)'/g

/** Rooms that each room of a source folder imports, types included. Tests are left out: they compose. */
const readRooms = (src: string, depth: number): Map<string, Set<string>> => {
  const findRoom = (path: string): string => path.split('/').slice(0, depth).join('/')
  const rooms = new Map<string, Set<string>>()
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter(
    (name) => /\.tsx?$/.test(name) && !/\.(test|prove)\.tsx?$|(^|\/)testing\//.test(name),
  )) {
    const from = findRoom(file)
    const known = rooms.get(from) ?? new Set()
    rooms.set(from, known)
    for (const [, name = ''] of readFileSync(join(src, file), 'utf8').matchAll(specifier)) {
      const to = findRoom(name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(file), name))
      if (to !== from) known.add(to)
    }
  }
  return rooms
}

/**
 * Groups of folders (and files beside them) that reach one another by imports, each sorted. `depth`: of the folders, 1 for those directly
 * in `src`.
 */
export const findKnots = (src: string, depth = 1): string[][] => {
  const rooms = readRooms(src, depth)
  const findReachable = (from: string, visited = new Set<string>()): Set<string> => {
    for (const next of rooms.get(from) ?? []) if (!visited.has(next)) findReachable(next, visited.add(next))
    return visited
  }
  const reachable = new Map([...rooms.keys()].map((room) => [room, findReachable(room)]))
  const knots = [...reachable].flatMap(([room, all]) => {
    if (!all.has(room)) return []
    return [[...all].filter((other) => reachable.get(other)?.has(room)).toSorted()]
  })
  return [...new Map(knots.map((knot) => [knot.join(), knot])).values()]
}
