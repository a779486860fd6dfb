/**
 * Names of methods that values of the languages themselves have. A call of one on something unknown is most likely
 * not a call of the project's method of that name.
 */
const names =
  'get set has add delete remove clear keys values items entries size length push pop shift unshift slice splice concat ' +
  'join map filter reduce forEach find findIndex some every includes indexOf sort reverse flat flatMap fill at split ' +
  'replace replaceAll trim strip lower upper toLowerCase toUpperCase startswith endswith startsWith endsWith match test ' +
  'exec search format encode decode append extend insert update copy count index read write close open flush seek tell ' +
  'readline readlines writelines then catch finally call apply bind toString valueOf hasOwnProperty toJSON next return throw ' +
  'send run start stop wait notify put poll offer peek isEmpty contains containsKey equals hashCode compareTo charAt ' +
  'substring stream collect iterator clone unwrap expect ok err iter into_iter as_ref as_str to_string to_owned push_str ' +
  'len is_empty is_some is_none and_then or_else unwrap_or map_err lock await emit on once off log info warn error debug ' +
  'setdefault fromkeys group groups span fetch execute commit rollback cursor each select reject inject first last max min ' +
  // Of the web, and of the collections and interfaces of the languages.
  'addEventListener removeEventListener dispatchEvent getReader getWriter releaseLock pipeTo pipeThrough arrayBuffer ' +
  'formData blob json text abort cancel appendChild removeChild getAttribute setAttribute querySelector querySelectorAll ' +
  'preventDefault stopPropagation requestAnimationFrame cancelAnimationFrame union intersection difference ' +
  'symmetricDifference isSubsetOf isSupersetOf isDisjointFrom issubset issuperset Error String Close Write Read Unwrap ' +
  'WriteString Flush Lock Unlock ServeHTTP Less Swap Done Wait';

const known: ReadonlySet<string> = new Set(names.split(' '));

export function isCommonMethod(name: string): boolean {
  return name.length < 4 || known.has(name);
}
