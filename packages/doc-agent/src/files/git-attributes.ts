/** Attributes that check files out byte for byte: no conversion, and no filter that a repository could name. */
export const byteForByte = '* -text -ident -filter -working-tree-encoding\n'
