"""BQN in notebooks: %load_ext griddle, then %bqn and %%bqn.

    %bqn +´↕10
    %%bqn -i readings -o mean
    mean ← (+´÷≠) readings
"""
from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

import griddle


@magics_class
class BQNMagics(Magics):
    """Cells run in the session of the default interpreter, whose names stay."""

    @magic_arguments()
    @argument('-i', '--input', action='append', default=[], help='A variable of Python that BQN gets, under its own name.')
    @argument('-o', '--output', action='append', default=[], help='A name of BQN that becomes a variable of Python.')
    @argument('code', nargs='*', help='BQN, where it is a line.')
    @line_cell_magic
    def bqn(self, line, cell=None):
        """Runs BQN; the value of the last statement is what the cell gives, as BQN shows it."""
        options = parse_argstring(self.bqn, line) if cell is not None else None
        if options is None:
            return griddle.run(line, '(notebook)', keep=True)
        for name in options.input:
            griddle.define(name, self.shell.user_ns[name])
        result = griddle.run(cell, '(notebook)', keep=True)
        for name in options.output:
            self.shell.user_ns[name] = griddle.run(name)
        return None if options.output else result
