"""What keeps a database healthy beside the verbs, and takes one user's rows out of it or into it.

``retention`` lets originals go, ``restoring`` makes a restored copy forget again, ``indexes`` and ``lists`` tend
vectors, ``retuning`` gives clusters other limits, ``census`` counts what is kept; ``portability`` is export and import.
"""
