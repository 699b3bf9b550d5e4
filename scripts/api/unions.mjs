// Shows types that are made from lists, such as `(typeof GRANTS)[number]`, as the allowed strings.
import { Converter, LiteralType, ReflectionKind, UnionType } from 'typedoc';

export function load({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const alias of context.project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
      if (alias.type?.type !== 'indexedAccess') continue;
      const [declaration] = context.getSymbolFromReflection(alias)?.declarations ?? [];
      const program = context.programs.find((one) =>
        one.getSourceFiles().includes(declaration?.getSourceFile()),
      );
      const type = program?.getTypeChecker().getTypeAtLocation(declaration);
      if (type?.isUnion() && type.types.every((one) => one.isStringLiteral()))
        alias.type = new UnionType(type.types.map(({ value }) => new LiteralType(value)));
    }
  });
}
