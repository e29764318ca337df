"""What the naive grid games share: cells are (column, row) pairs, both counted from 0."""

Cell = tuple[int, int]


def has_line(cells: set[Cell], length: int) -> bool:
    """Whether `length` of the cells follow each other in a row, a column or a diagonal."""
    for column, row in cells:
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if all((column + i * right, row + i * down) in cells for i in range(length)):
                return True
    return False


def square_text(cell: Cell) -> str:
    """The name of a cell: column letter from the left, row number from the top."""
    column, row = cell
    return f"{chr(ord('a') + column)}{row + 1}"


def square_cell(text: str) -> Cell:
    """The cell of a name."""
    return ord(text[0]) - ord("a"), int(text[1:]) - 1
